import type * as vscode from 'vscode';
import type { Addressed } from '../../../core/symbolPaths.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';
import type { FileSymbol, Outline } from './outline.ts';

export interface Target {
  location: Location;
  document: vscode.TextDocument;
  position: vscode.Position;
  /** Its name path, or what the agent called it. */
  name: string;
  /** If it is declared at this position. */
  symbol?: FileSymbol;
  /** Its declarations in text order, if several symbols of one file are one: the signatures of an overloaded function, or a pair of accessors. */
  parts?: readonly Candidate[];
  /** Other symbols of the name that was asked for, which are less likely meant. */
  namesakes?: readonly Candidate[];
}

export interface Candidate extends Addressed<FileSymbol> {
  outline: Outline;
}

export const candidatesIn = (outline: Outline): Candidate[] =>
  outline.all.map((one) => ({ ...one, outline }));

export function targetOf(
  { symbol, path, outline }: Candidate,
  { vscode: { Position } }: LanguageScope,
): Target {
  const { location, document } = outline;
  const position = new Position(symbol.line - 1, symbol.column - 1);
  return { location, document, position, name: path, symbol };
}

/** The places of a symbol's name in its declaration, 1-based. */
export const namePlaces = ({ line, column, tag }: FileSymbol): { line: number; column: number }[] => [
  { line, column },
  ...(tag ? [tag] : []),
];

/** Where a symbol's name is declared in its file: at several places if it has several parts, or a tag. */
export const positionsOf = ({ position, symbol, parts }: Target, { vscode: { Position } }: LanguageScope) =>
  symbol
    ? (parts?.map((part) => part.symbol) ?? [symbol])
        .flatMap(namePlaces)
        .map(({ line, column }) => new Position(line - 1, column - 1))
    : [position];
