<?php

namespace Shop;

final class Square extends Shape
{
    public function sides(): int
    {
        return 4;
    }

    public function area(): float
    {
        return $this->size * $this->size;
    }
}
