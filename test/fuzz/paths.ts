/** Paths and URIs, into the workspace of the stage, out of it, and nowhere. */
import fc from 'fast-check';
import { oddText } from './values.ts';

const oneOf = (...texts: string[]) => fc.constantFrom(...texts.flatMap((text) => text.split(' ')));

const inside = oneOf(
  'a.ts src/größe.ts src/crlf.ts src/long.ts src/bom.ts src/empty.ts src/[id]/page.ts notes.txt latin1.txt image.png data.bin',
  'src . ws/a.ts ./a.ts src//crlf.ts',
);

/** What is closed, spelled in ways that might open it. */
const closed = oneOf(
  '../outside.txt src/../../outside.txt .env src/../.env .//.env .ENV .env. .env/ ws/.env .git/config',
  '/etc/passwd .. / ~/x ignored/../.env ..%2foutside.txt',
);

const uris = oneOf(
  'file:///a.ts file://a.ts file:///etc/passwd file:///%2e%2e/%2e%2e/etc/passwd file://localhost/etc/passwd FILE:///x',
  'file://.env file: file:///%00 file:///%zz untitled:x http://a/b vscode-userdata:/x a:b data:,x',
);

const odd = fc.oneof(
  oneOf('a.ts/ a.ts/b missing.ts src\\crlf.ts C:\\x \\\\host\\share a.ts:1 a.ts::$DATA'),
  fc.constantFrom('x/'.repeat(3_000), 'x'.repeat(300)),
);

export const path = fc.oneof(
  { weight: 4, arbitrary: inside },
  { weight: 3, arbitrary: closed },
  { weight: 2, arbitrary: uris },
  { weight: 1, arbitrary: odd },
  { weight: 2, arbitrary: oddText },
);
