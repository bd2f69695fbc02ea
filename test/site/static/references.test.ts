import assert from 'node:assert/strict'
import test from 'node:test'
import { rewriteCss, rewriteHtml, rewriteText } from '#site/static/references.ts'

const redirected = async (reference: string) => (reference.startsWith('/dead') ? undefined : `..${reference}`)

test('every reference in HTML is rewritten, and nothing else changes', async () => {
  const page = `<!doctype html><!-- <a href="/x"> -->
<title>href="/x"</title><link rel=stylesheet href=/site.css><form action="/-/search"></form>
<img srcset="/1.webp 320w, /2.webp 640w" src="/1.png" data-moving="/1.gif" alt='src="/1.png"'><a title="/x" href="/a?b&amp;c=&quot;">/a</a>
<svg><image xlink:href="/i.svg"/></svg><template><a href="/t">t</a></template><script>"<a href='/x'>"</script>`
  assert.equal(
    await rewriteHtml(page, redirected),
    `<!doctype html><!-- <a href="/x"> -->
<title>href="/x"</title><link rel=stylesheet href="../site.css"><form action="../-/search"></form>
<img srcset="../1.webp 320w, ../2.webp 640w" src="../1.png" data-moving="../1.gif" alt='src="/1.png"'><a title="/x" href="../a?b&amp;c=&quot;">/a</a>
<svg><image xlink:href="../i.svg"/></svg><template><a href="../t">t</a></template><script>"<a href='/x'>"</script>`,
  )
})

test('the targets of links, scripts and forms are not among those that a page shows', async () => {
  const page =
    '<link rel="stylesheet" href="/1"><link rel="icon" href="/2"><script src="/3"></script><form action="/4"></form><a href="/5"><img src="/6"></a>'
  const links: string[] = []
  await rewriteHtml(page, async (reference, isLink) => {
    if (isLink) links.push(reference)
    return reference
  })
  assert.deepEqual(links.sort(), ['/2', '/3', '/4', '/5'])
})

test('a dead link becomes text, and a set keeps its other candidates', async () => {
  assert.equal(
    await rewriteHtml('<a class="x" href="/dead">a</a><img srcset="/dead 1x, /b 2x"><img src="/dead">', redirected),
    '<a class="x" >a</a><img srcset="../b 2x"><img >',
  )
})

test('addresses in a style sheet are rewritten, but not similar comments, strings and names', async () => {
  const sheet = `/* url("/a") */ .x::after{content:"url(/a)"} .y{background:url( /b.png ) , URL("/c\\".png") no-repeat}
@font-face{font-family:"/d";src:url('/e.woff2') format("woff2")}`
  const seen = await rewriteCss(sheet, async reference => (reference === '/b.png' ? undefined : `..${reference}`))
  assert.equal(
    seen,
    `/* url("/a") */ .x::after{content:"url(/a)"} .y{background:url("/b.png") , URL("../c\\".png") no-repeat}
@font-face{font-family:"/d";src:url("../e.woff2") format("woff2")}`,
  )
})

test('absolute addresses are rewritten in Markdown and JSON, except dead and foreign ones', async () => {
  const known = new Map([
    ['http://x.test/a/b', 'index.html'],
    ['http://x.test/a/b/c%28d%29.md', 'c.md'],
  ])
  const seen = await rewriteText(
    'See http://x.test/a/b. [c](http://x.test/a/b/c%28d%29.md "C") "http://x.test/none" http://x.tester/a/b',
    'http://x.test',
    async address => known.get(address),
  )
  assert.equal(seen, 'See index.html. [c](c.md "C") "http://x.test/none" http://x.tester/a/b')
})
