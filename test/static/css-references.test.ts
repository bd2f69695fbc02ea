import assert from 'node:assert/strict'
import test from 'node:test'
import { rewriteCss } from '../../src/static/css-references.ts'

test('addresses in a style sheet are rewritten, but not similar comments, strings and names', async () => {
  const sheet = `/* url("/a") */ .x::after{content:"url(/a)"} .y{background:url( /b.png ) , URL("/c\\".png") no-repeat}
@font-face{font-family:"/d";src:url('/e.woff2') format("woff2")}`
  assert.equal(
    await rewriteCss(sheet, async reference => (reference === '/b.png' ? undefined : `..${reference}`)),
    `/* url("/a") */ .x::after{content:"url(/a)"} .y{background:url("/b.png") , URL("../c\\".png") no-repeat}
@font-face{font-family:"/d";src:url("../e.woff2") format("woff2")}`,
  )
})
