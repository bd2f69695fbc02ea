import { blank } from '#formats/markdown/page-blocks.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { field, parsedJson } from '#platform/base/object.ts'
import { anyOf, wordSet } from '#platform/base/text.ts'
import { isAddress, type SiteAddress } from '../report/report.ts'
import { CNAMES, type SourceFacts } from '../sources/facts.ts'
import { GENERATORS } from '../sources/generators/table.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import { withoutFences } from './readme.ts'

/**
 * Finds the address that the settings, `CNAME`, `homepage` or the README of a source name. One of a README counts if no
 * other is in it, apart from hosts of code and the addresses of pictures. Undefined if the source is the website.
 */
export async function siteAddress(entries: readonly Entry[], facts: SourceFacts): Promise<SiteAddress | undefined> {
  if (entries.some(entry => isAddress(shownPath(entry)))) return undefined
  const [own] = entries.slice(0, 1).map(facts.of)
  if (own?.origin !== undefined) return { address: own.origin + own.baseUrl, path: own.settings }
  for (const { names, textOf } of FILES)
    for (const entry of entries.filter(({ path }) => names.has(path.toLowerCase()))) {
      const text = await entry.read(MAX_BYTES).then(String, () => '')
      const [address = '', ...others] = publicAddresses(textOf(text))
      if (address !== '' && others.length === 0) return { address, path: shownPath(entry) }
    }
  return undefined
}

const MAX_BYTES = 1 << 20

/** Files that name the address, the surest first. */
const FILES: readonly { names: ReadonlySet<string>; textOf: (text: string) => string }[] = [
  {
    names: CNAMES,
    textOf: text => `https://${text.trim()}`,
  },
  { names: wordSet('package.json'), textOf: text => String(field(parsedJson(text), 'homepage')) },
  {
    names: wordSet('readme.md readme.markdown readme.mdx readme.rst readme.adoc readme.txt readme.html'),
    textOf: text => withoutFences(withoutPictures(text)).replace(DEEP, '').replace(TOOLS, ''),
  },
]

/** The content of a page without the addresses of its pictures. */
function withoutPictures(text: string): string {
  const { content } = splitFrontMatter(text)
  const pictures = readMarkdown(content).links.filter(({ kind }) => kind === 'picture')
  return blank(
    content,
    pictures.map(({ start, source }) => ({ start, end: start + source.length })),
  )
}

/** An address with two folders or more, such as a page with downloads, or one of another program's documentation. */
const DEEP = /https?:\/\/[^\s/]{1,300}(?:\/[^\s/()]{1,300}){2}/g

/** An address of a generator, such as `https://gohugo.io`. */
const TOOLS = new RegExp(
  String.raw`https?://(?:\w+\.)?(?:go)?${anyOf(GENERATORS.map(({ name }) => name.toLowerCase().replaceAll(' ', '')))}(?:js|rb)?\.\w`,
  'gi',
)

/** The addresses of pages on the web in a text, without fragments; none of hosts of code, packages and files. */
function publicAddresses(text: string): ReadonlySet<string> {
  const addresses = [...text.matchAll(ADDRESS)]
    .filter(([, , host = '']) => !FILE_HOSTS.has(host.toLowerCase()))
    .filter(([, , , path = '']) => !FILE.test(path))
  return new Set(addresses.map(([, origin = '', , path = '']) => origin + path))
}

/** An origin, the last two names of its host, and a path; `http://localhost:3000` is in no network. */
const ADDRESS =
  /(https?:\/\/(?:[\w-]{1,63}\.){0,5}([\w-]{1,63}\.[a-z]{2,20})(?![\w-]))([^\s<>()[\]"'`*?#]{0,500}(?<![/.,;:!]))/gi

/** The path of a file that is no page. */
const FILE = /\.(?!html?$)[a-z]\w{1,4}$/i

const FILE_HOSTS = wordSet(`github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org sr.ht shields.io
  badgen.net npmjs.com npmjs.org unpkg.com jsdelivr.net cloudflare.com bootstrapcdn.com google.com googleapis.com gstatic.com
  typekit.net`)
