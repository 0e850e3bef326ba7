import fc from 'fast-check';

/** Texts of any UTF-16 units, halves of characters as well. fast-check's own `binary` takes two seconds to get ready. */
export const anyText = fc
  .array(fc.nat(0xffff), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));
