import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '#site/markdown/markdown.ts'

function shown(markdown: string): string {
  const { html } = renderMarkdown(markdown, { name: 'Page', pictures: new Map() })
  return html.text.replaceAll(/ rel="noopener noreferrer"|<wbr>/g, '').replace(/^<p>|<\/p>$/g, '')
}

function link(address: string, text = address): string {
  return `<a href="${address}">${text}</a>`
}

const [GUIDE, SECOND] = ['https://tern.example/guide', 'http://tern.example/b?c=d_e(f)#g']

test('an address in running text ends before Chinese and Japanese punctuation', () => {
  for (const mark of '。，、；：！？（）「」『』《》【】“”'.replace('“', ''))
    assert.equal(shown(`参见${GUIDE}${mark}之后`), `参见${link(GUIDE)}${mark}之后`)
})

test('each of several addresses in a sentence without spaces is a link, and emphasis after it is emphasis', () => {
  assert.equal(
    shown(`**见 ${GUIDE}，谢谢。**（${SECOND}）。*再看*`),
    `<strong>见 ${link(GUIDE)}，谢谢。</strong>（${link(SECOND)}）。<em>再看</em>`,
  )
  assert.equal(
    shown('「www.tern.example/c」を見る。WWW.a.example.。'),
    `「${link('http://www.tern.example/c', 'www.tern.example/c')}」を見る。${link('http://WWW.a.example', 'WWW.a.example')}.。`,
  )
})

test('an address with letters of another script, in a written link and in code stays whole', () => {
  assert.equal(
    shown('https://tern.example/標志 x'),
    link('https://tern.example/%E6%A8%99%E5%BF%97', 'https://tern.example/標志').concat(' x'),
  )
  assert.equal(shown('[a](https://tern.example/、b)'), link('https://tern.example/%E3%80%81b', 'a'))
  assert.equal(shown('`https://tern.example/、b`'), '<code>https://tern.example/、b</code>')
  assert.equal(
    shown('hallo@tern.example。https://。'),
    `${link('mailto:hallo@tern.example', 'hallo@tern.example')}。https://。`,
  )
})
