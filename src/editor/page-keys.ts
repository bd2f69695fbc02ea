import type { FrontMatter } from '../intake/pages/front-matter.ts'
import { number } from '../intake/schema/numbers.ts'
import { type Schema, withDescription } from '../intake/schema/schema.ts'
import { DESCRIPTION, FLAG, NAME, PAGE_ID, SHORT_TEXT } from '../intake/schema/values.ts'

/** The keys of the front matter of a page. A `cover` that is a mapping is kept. */
export const PAGE_KEYS = {
  title: withDescription(
    NAME,
    'The name of the page. Default: the first heading, else the name of the file.',
    'Our logo',
  ),
  description: withDescription(DESCRIPTION, 'A description of the page in one or two sentences.'),
  order: withDescription(number({ max: 1_000_000 }), 'The place of the page in lists: lower numbers come first.', 10),
  nav: withDescription(SHORT_TEXT, 'A short name for the navigation.', 'Logo'),
  cover: withDescription(
    NAME,
    'The picture at the head of the page: the path of a picture or film, or the id of a colour.',
    '../files/images/bench.jpg',
  ),
  ground: withDescription(NAME, 'The id of the background colour of the title.', 'paper'),
  wide: withDescription(
    { ...FLAG, default: false },
    'Leaves out the list of headings, so that the page is as wide as its header.',
  ),
  id: withDescription(PAGE_ID, 'The id of the page in its address. Default: from the path of its file.', 'logo/misuse'),
  aliases: withDescription({ type: 'array', items: NAME }, 'Former ids of the page; their addresses redirect to it.', [
    'archive/2019/cover',
  ]),
} as const satisfies Record<keyof FrontMatter, Schema>
