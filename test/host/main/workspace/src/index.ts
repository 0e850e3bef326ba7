import { Invoice } from './invoice.js';
import { format, money } from './money.js';

const invoice = new Invoice().addLine('Pencil', money(120), 3).addLine('Paper', money(899));

export const summary = `${invoice.lines.length} lines, ${format(invoice.total())}`;
