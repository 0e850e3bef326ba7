import { Square } from './shapes.js';

export const broken: number =  'text';
new Square(2).aera();
