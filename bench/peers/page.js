/** What a page of the guide says, of about the same length. */
export const PAGE = {
  workspace: 'brand-1',
  project: 'guide-1',
  content: 'Keep clear space of half its height around the mark, and set nothing else into it. '.repeat(21),
}
