/** The snippet variables of VS Code, and the values of variables that need no editor. */

const two = (value: number) => String(value).padStart(2, '0');

type Width = 'long' | 'short';
const dayName = (now: Date, weekday: Width = 'long') => now.toLocaleString('en-US', { weekday });
const monthName = (now: Date, month: Width = 'long') => now.toLocaleString('en-US', { month });

/** Times are local, with English names. */
const WITHOUT_EDITOR = new Map<string, (now: Date) => string>([
  ['CURRENT_YEAR', (now) => String(now.getFullYear())],
  ['CURRENT_YEAR_SHORT', (now) => String(now.getFullYear()).slice(-2)],
  ['CURRENT_MONTH', (now) => two(now.getMonth() + 1)],
  ['CURRENT_MONTH_NAME', (now) => monthName(now)],
  ['CURRENT_MONTH_NAME_SHORT', (now) => monthName(now, 'short')],
  ['CURRENT_DATE', (now) => two(now.getDate())],
  ['CURRENT_DAY_NAME', (now) => dayName(now)],
  ['CURRENT_DAY_NAME_SHORT', (now) => dayName(now, 'short')],
  ['CURRENT_HOUR', (now) => two(now.getHours())],
  ['CURRENT_MINUTE', (now) => two(now.getMinutes())],
  ['CURRENT_SECOND', (now) => two(now.getSeconds())],
  ['CURRENT_MILLISECOND', (now) => String(now.getMilliseconds()).padStart(3, '0')],
  ['CURRENT_SECONDS_UNIX', (now) => String(Math.floor(now.getTime() / 1000))],
  ['CURRENT_MILLISECONDS_UNIX', (now) => String(now.getTime())],
  ['CURRENT_TIMEZONE_OFFSET', timezoneOffset],
  ['CURRENT_TIMEZONE_NAME', () => Intl.DateTimeFormat().resolvedOptions().timeZone],
  ['RANDOM', () => randomDigits(10)],
  ['RANDOM_HEX', () => randomDigits(16)],
  ['UUID', () => crypto.randomUUID()],
]);

const FROM_EDITOR = new Set(
  `SELECTION CLIPBOARD TM_SELECTED_TEXT TM_CURRENT_LINE TM_CURRENT_WORD TM_LINE_INDEX TM_LINE_NUMBER TM_FILENAME
  TM_FILENAME_BASE TM_DIRECTORY TM_DIRECTORY_BASE TM_FILEPATH CURSOR_INDEX CURSOR_NUMBER RELATIVE_FILEPATH
  REVERSE_RELATIVE_FILEPATH WORKSPACE_NAME WORKSPACE_FOLDER BLOCK_COMMENT_START BLOCK_COMMENT_END LINE_COMMENT`.split(
    /\s+/,
  ),
);

/** Whether VS Code defines the variable; it turns any other into a placeholder. */
export const isKnownVariable = (name: string): boolean => WITHOUT_EDITOR.has(name) || FROM_EDITOR.has(name);

/** The value of a variable of time or chance; undefined for others. */
export const valueWithoutEditor = (name: string, now: Date): string | undefined =>
  WITHOUT_EDITOR.get(name)?.(now);

/** `+02:00`; `Date` uses the opposite sign. */
function timezoneOffset(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}:${two(size % 60)}`;
}

const randomDigits = (base: number) =>
  Array.from({ length: 6 }, () => Math.floor(Math.random() * base).toString(base)).join('');
