import { check } from '@shop/core';
import { Store } from '@shop/store';
import { page01 } from './page01';

check(page01(new Store()) !== '');
