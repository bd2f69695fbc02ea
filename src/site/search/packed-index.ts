/** How much an index holds: this says where in its bytes everything is. */
export type Counts = Readonly<Record<'things' | 'parts' | 'terms' | 'places' | 'letters' | 'bytes', number>>

/** An index as it goes from one process to another. */
export type PackedIndex = { counts: Counts; bytes: Uint8Array<ArrayBuffer> }

/**
 * The parts of a packed index. Its entries are things (colours, styles and files, in this order), then parts of pages; of
 * these the page, and where its heading, its anchor and its text end among the bytes of all texts. Its terms stand in
 * order; of each it says where it ends among all letters, and where the list of its places does.
 */
export type IndexViews = {
  pageOf: Uint32Array
  textEnds: Uint32Array
  termEnds: Uint32Array
  placeEnds: Uint32Array
  /** Where a term stands: the number of the entry times 256, plus how much the term counts there. */
  places: Uint32Array
  letters: Uint16Array
  texts: Uint8Array
}

/** How many bytes an index of these counts has. */
export function bytesOf({ parts, terms, places, letters, bytes }: Counts): number {
  return 4 * (4 * parts + 2 * terms + places) + 2 * letters + bytes
}

/** The parts of an index, as views of its bytes. */
export function viewsOf(buffer: ArrayBuffer, { parts, terms, places, letters, bytes }: Counts): IndexViews {
  let at = 0
  const words = (count: number) => {
    const view = new Uint32Array(buffer, at, count)
    at += view.byteLength
    return view
  }
  const numbers = {
    pageOf: words(parts),
    textEnds: words(3 * parts),
    termEnds: words(terms),
    placeEnds: words(terms),
    places: words(places),
  }
  const lettersView = new Uint16Array(buffer, at, letters)
  return { ...numbers, letters: lettersView, texts: new Uint8Array(buffer, at + lettersView.byteLength, bytes) }
}
