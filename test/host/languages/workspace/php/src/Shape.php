<?php

namespace Shop;

/** What every shape has. */
abstract class Shape implements HasArea
{
    use Describes;

    protected float $size = 1.0;

    public function __construct(string $label)
    {
        $this->label = $label;
    }

    abstract public function sides(): int;

    public static function unit(): static
    {
        return new static('unit');
    }
}
