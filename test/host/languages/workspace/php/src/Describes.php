<?php

namespace Shop;

trait Describes
{
    private string $label = '';

    public function describe(string $prefix = '', int $width = 10): string
    {
        $text = $prefix . $this->label;
        return str_pad($text, $width);
    }
}
