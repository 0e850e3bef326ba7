/** Where a name of a source is in what is built from it. */

/** `pos` in UTF-16 units. */
export interface Position {
  fileName: string;
  pos: number;
}

/** What maps sources to their built declarations, as far as it is used here. */
export interface SourceMapper {
  tryGetGeneratedPosition(place: Position): Position | undefined;
}

/** What is known of the texts and their symbols. */
interface Names {
  textOf(file: string): string | undefined;
  /** Where the symbol with this name is declared in its file. */
  declaredAt(place: Position): readonly number[];
}

/** A part of TypeScript's syntax trees and checker. */
interface Node {
  pos: number;
  end: number;
  name?: Node;
  getStart(): number;
  getSourceFile(): object;
}
export interface CheckedProgram {
  getSourceFile(file: string): (Node & { text: string }) | undefined;
  getTypeChecker(): { getSymbolAtLocation(node: Node): { declarations?: readonly Node[] } | undefined };
}
export interface Walker {
  sys: { readFile(path: string): string | undefined };
  forEachChild(node: Node, visit: (child: Node) => Node | undefined): Node | undefined;
}

/** As a program knows them, and what is built as the disk has it. */
export const namesIn = ({ sys, forEachChild }: Walker, program: CheckedProgram | undefined): Names => ({
  textOf: (file) => program?.getSourceFile(file)?.text ?? sys.readFile(file),
  declaredAt({ fileName, pos }) {
    const source = program?.getSourceFile(fileName);
    const within = (node: Node): Node | undefined =>
      forEachChild(node, (child) => (child.pos <= pos && pos < child.end ? child : undefined));
    let node = source && within(source);
    for (let inner = node; inner; inner = within(inner)) node = inner;
    const declarations = (node && program?.getTypeChecker().getSymbolAtLocation(node)?.declarations) ?? [];
    return declarations.flatMap((one) =>
      one.name && one.getSourceFile() === source ? [one.name.getStart()] : [],
    );
  },
});

const nameAt = (text: string, at: number): string =>
  /^[\p{L}\p{N}_$]*/u.exec(text.slice(at, at + 200))?.[0] ?? '';

/**
 * The mapper for names. A function behind overloads is not declared in what is built: TypeScript takes the nearest place, which is
 * in the next declaration, and would find and rename that one. Its overloads are there.
 */
export const nameMapper = (mapper: SourceMapper, { textOf, declaredAt }: Names): SourceMapper => ({
  ...mapper,
  tryGetGeneratedPosition(place) {
    const found = mapper.tryGetGeneratedPosition(place);
    const text = textOf(place.fileName);
    const built = found && textOf(found.fileName);
    const name = nameAt(text ?? '', place.pos);
    if (built === undefined || name === '' || nameAt(built, found?.pos ?? 0) === name) return found;
    const others = declaredAt(place).map((pos) => mapper.tryGetGeneratedPosition({ ...place, pos }));
    return others.find((one) => one && nameAt(built, one.pos) === name);
  },
});
