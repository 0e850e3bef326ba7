import { readSymbols } from '../../services/language/symbols/outline.ts';
import { editorResource } from '../editorResource.ts';

/** The outline of one file. */
export const symbols = editorResource({
  name: 'symbols',
  ofFile: {
    title: 'Symbols of a file',
    description:
      'The outline of a file by its language server: nested classes, functions and other symbols with their lines.',
    read: readSymbols,
  },

  follow: ({ files }, { of }) => files.watchContent(of),
});
