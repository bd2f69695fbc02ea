import assert from 'node:assert/strict'
import test from 'node:test'
import { rewriteHtml } from '../../src/static/html-references.ts'

const redirected = async (reference: string) => (reference.startsWith('/dead') ? undefined : `..${reference}`)

test('every reference in HTML is rewritten, and nothing else changes', async () => {
  const page = `<!doctype html><!-- <a href="/x"> -->
<title>href="/x"</title><link rel=stylesheet href=/site.css><form action="/-/search"></form>
<img srcset="/1.webp 320w, /2.webp 640w" src="/1.png" alt='src="/1.png"'><a title="/x" href="/a?b&amp;c=&quot;">/a</a>
<svg><image xlink:href="/i.svg"/></svg><template><a href="/t">t</a></template><script>"<a href='/x'>"</script>`
  assert.equal(
    await rewriteHtml(page, redirected),
    `<!doctype html><!-- <a href="/x"> -->
<title>href="/x"</title><link rel=stylesheet href="../site.css"><form action="../-/search"></form>
<img srcset="../1.webp 320w, ../2.webp 640w" src="../1.png" alt='src="/1.png"'><a title="/x" href="../a?b&amp;c=&quot;">/a</a>
<svg><image xlink:href="../i.svg"/></svg><template><a href="../t">t</a></template><script>"<a href='/x'>"</script>`,
  )
})

test('a dead link becomes text, and a set keeps its other candidates', async () => {
  assert.equal(
    await rewriteHtml('<a class="x" href="/dead">a</a><img srcset="/dead 1x, /b 2x"><img src="/dead">', redirected),
    '<a class="x" >a</a><img srcset="../b 2x"><img >',
  )
})
