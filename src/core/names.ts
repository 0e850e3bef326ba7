/** The names that a language allows, where its server renames to anything. A language is its id in VS Code. */
import { PROSE } from './kinds.ts';

const NAME = /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u;
const PYTHON_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** What an identifier has in no language; a heading may have it. */
const NO_NAME = /[\s,;(){}[\]"'`]/;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const SCRIPT_WORDS = words(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with',
);
const PYTHON_WORDS = words(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield',
);
const SHELL_WORDS = words(
  'case coproc do done elif else esac fi for function if in select then time until while',
);
/** Kinds whose names may be keywords in JavaScript: `x.class`. */
const MEMBER = /^(property|method|field|enumMember)$/;

/**
 * Whether a symbol may get a name. clangd and gopls, for example, refuse keywords themselves.
 *
 * @param kind of the symbol, if it is known
 */
export function mayBeRenamed(from: string, to: string, language: string, kind = ''): boolean {
  if (!NAME.test(from)) return true; // a heading, a key
  if (/^(java|type)script(react)?$/.test(language))
    return NAME.test(to) && (MEMBER.test(kind) || !SCRIPT_WORDS.has(to));
  if (language === 'python') return PYTHON_NAME.test(to) && !PYTHON_WORDS.has(to);
  if (language === 'shellscript' && SHELL_WORDS.has(to)) return false;
  return PROSE.has(language) || !NO_NAME.test(to);
}
