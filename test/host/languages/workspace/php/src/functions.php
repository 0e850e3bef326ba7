<?php

namespace Shop;

/** The area of all shapes. */
function total(HasArea ...$shapes): float
{
    $sum = 0.0;
    foreach ($shapes as $shape) {
        $sum += $shape->area();
    }
    return $sum;
}
