<?php

namespace Shop\App;

use Shop\HasArea;
use Shop\Square;
use function Shop\total;

require_once __DIR__ . '/functions.php';

$square = new Square('a');
echo $square->describe('> '), $square->sides(), HasArea::LIMIT, total($square, Square::unit());
