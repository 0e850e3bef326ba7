<?php

namespace Shop;

interface HasArea
{
    const LIMIT = 8;

    public function area(): float;
}
