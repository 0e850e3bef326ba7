<?php

namespace Shop\App;

use Shop\Square;

function broken(): int
{
    $square = new Square('a';
    return missing_function() + $square->sides();
}
