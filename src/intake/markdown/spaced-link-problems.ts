import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { type ReadBlock, visibleText } from '../../brand/markdown/visible-text.ts'
import { problem } from '../folder/findings.ts'

/** Reports links and pictures that are text because of their spaces, quotes or backslashes (CommonMark 0.31.2, §6.3). */
export function spacedLinkProblems(text: string, blocks: readonly ReadBlock[]): Problem[] {
  if (lostLinks(text).length === 0) return []
  const lost = blocks.flatMap(block =>
    lostLinks(visibleText(block)).flatMap(({ at, message }) =>
      isPartOfLink(block, at) ? [] : [{ at: block.start + at, message }],
    ),
  )
  return lost.slice(0, MAX_REPORTED).map(({ at, message }) => {
    return problem('link-space', message, text.slice(0, at).split('\n').length)
  })
}

/** The maximum per page; further findings would need the same fix. */
const MAX_REPORTED = 10

type LostLink = { at: number; message: string }

/** Text that is meant as a link or picture. `at` is the offset of its `]`. */
function lostLinks(text: string): LostLink[] {
  return FORMS.flatMap(([form, messageOf]) =>
    Array.from(text.matchAll(form), ({ index, 1: address = '', 2: title = '' }) => {
      const label = LABEL.exec(text.slice(Math.max(0, index - 60), index))?.[0] ?? '[…'
      const message = address.length > MAX_ADDRESS ? undefined : messageOf(address.trim(), title, label)
      return message === undefined ? [] : [{ at: index, message }]
    }).flat(),
  )
}

const MAX_ADDRESS = 1000
/** The end of the text of a link or picture, from its bracket or `!`. */
const LABEL = /!?\[[^[\]\n]*$/
const FILE = /\.\w{2,5}(?:#\S*)?$/
/** A URL, a path that begins with its folder or `..`, or the name of a file. */
const ADDRESS = /^(?:https?:|mailto:|tel:|www\.|\.{0,2}\/).|^[^@]*[^.@]\.[a-z]\w{1,4}(?:[#?]\S*)?$|\w\/$/i

/** Each form with a function that gives its message, or undefined if it is not meant as a link. */
const FORMS: readonly [
  form: RegExp,
  messageOf: (address: string, title: string, label: string) => string | undefined,
][] = [
  // An address with a space, but without a title, which has quotes.
  [
    /\]\(([^ ()<>"'\n]*(?: [^ ()<>"'\n]*)+)\)/g,
    address => {
      if (!address.includes(' ') || !FILE.test(address)) return undefined
      const encoded = address.replaceAll(' ', '%20')
      return `the address ${quote(address)} contains a space, so this is text, not a link: write (${encoded}) or (<${address}>)`
    },
  ],
  [
    /(?<!\\)\][ \t\u00a0]+\(<?([^\s()<>]{1,1000})>?((?:[ \t]+["'“”„«‘][^()\n]{0,300})?)\)/g,
    (address, title, label) =>
      ADDRESS.test(address)
        ? `there is a space between ] and (, so this is text, not a link or picture: write ${quote(`${label}](${address}${title})`)}`
        : undefined,
  ],
  [
    /(?<!\\)\]\([ \t]*<?([^\s()<>]{1,1000})>?[ \t]+([“”„«»‘’‚‹][^\n]{0,300}?["'“”»«‘’›]|["'][^\n"']{0,300}?[“”»«‘’])[ \t]*\)/g,
    (address, title) =>
      `the title of ${quote(address)} is in curly quotes, so this is text, not a link or picture: write straight quotes, as in ${quote(title.slice(1, -1).trim())}`,
  ],
  [
    /(?<!\\)\]\(([^\s()<>"]{1,1000}\\)\)/g,
    address =>
      `the address ends with a backslash, so this is text, not a link: write / instead, as in (${address.replaceAll('\\', '/')})`,
  ],
]

/** Whether the `]` at an offset belongs to a link or a picture. */
function isPartOfLink({ kind, inlines }: ReadBlock, at: number): boolean {
  return kind === 'html' || inlines.some(inline => inline.text.end === at || inline.end === at + 1)
}
