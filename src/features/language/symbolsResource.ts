import { readSymbols } from '../../services/language/symbols.ts';
import { editorResource } from '../editorResource.ts';

/** The outline of one file. */
export const symbols = editorResource({
  name: 'symbols',
  ofFile: {
    title: 'Symbols of a file',
    description:
      'Its outline by the language server: classes, functions and others, one in another, with their lines.',
    read: readSymbols,
  },

  follow: ({ files }, { of }) => files.watchContent(of),
});
