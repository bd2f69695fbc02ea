import assert from 'node:assert/strict'
import test from 'node:test'
import { pageSections } from '#delivery/search/page-sections.ts'
import { emphasisMarks } from '#formats/markdown/emphasis.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { fc, forAllIn } from '../../support/random.ts'

function shownOn(page: string): string {
  const { html } = renderMarkdown(page, { name: 'Page', pictures: new Map() })
  const text = html.text
    .replace(/<[^>]*>/g, '')
    .replace(/&#x([0-9A-F]+);/g, (_, hex) => String.fromCodePoint(Number(`0x${hex}`)))
  return text.replace(/\s+/g, ' ').trim()
}

const SENTENCES: readonly (readonly [markdown: string, html: string])[] = [
  ['周囲には**「余白」**を必ず取ってください。', '周囲には<strong>「余白」</strong>を必ず取ってください。'],
  ['色は**変更しないこと。**例外はありません。', '色は<strong>変更しないこと。</strong>例外はありません。'],
  ['**注意（必読）：**縮小しすぎないでください。', '<strong>注意（必読）：</strong>縮小しすぎないでください。'],
  ['한국어 문서에서도 **로고(심벌)**를 씁니다.', '한국어 문서에서도 <strong>로고(심벌)</strong>를 씁니다.'],
  ['*斜体（補足）。*続けて読む。', '<em>斜体（補足）。</em>続けて読む。'],
  ['~~旧ロゴ（2019年）。~~は廃止しました。', '<del>旧ロゴ（2019年）。</del>は廃止しました。'],
  ['请使用**“标志”**和**【规范】**。', '请使用<strong>“标志”</strong>和<strong>【规范】</strong>。'],
  ['普通の**太字**は表示されます。', '普通の<strong>太字</strong>は表示されます。'],
  ['여백은 10~20px, 높이는 30~40px입니다.', '여백은 10~20px, 높이는 30~40px입니다.'],
  ['snake_case_name, 2 * 3 * 4 and **"bold"**s', 'snake_case_name, 2 * 3 * 4 and **"bold"**s'],
]

test('emphasis next to Chinese, Japanese and Korean punctuation is emphasis on pages and in searches', () => {
  for (const [markdown, html] of SENTENCES) {
    const page = renderMarkdown(markdown, { name: 'Page', pictures: new Map() })
    assert.equal(page.html.text, `<p>${html}</p>`)
    assert.equal(pageSections(markdown)[0]?.text, html.replace(/<[^>]*>/g, ''))
  }
})

test('a line break within Chinese or Japanese text is no space on pages and in searches', () => {
  for (const [markdown, text] of [
    ['請保持标志周\n围的空白。\n品牌', '請保持标志周围的空白。品牌'],
    ['担当\r\n**者**\nに[問](https://a.example)\nい', '担当者に問い'],
    ['> **必ず**\n> *余白*を', '必ず余白を'],
    ['余白 \n`を`\nも`a`\n余白', '余白をもa 余白'],
    ['색은\n빨강', '색은 빨강'],
    ['ロゴ\nLogo\nを', 'ロゴ Logo を'],
    ['余白  \nを', '余白 を'],
  ] as const) {
    const [section] = pageSections(markdown)
    assert.deepEqual([shownOn(markdown), section?.text || section?.heading], [text, text], markdown)
  }
})

test('any text has the same marks for the import, the search and the website', async () => {
  const part = fc.constantFrom(
    ...'* ** *** _ __ ~ ~~ 余 「 」 。 （ ） 한 “ ( ) a b . ! é \u{20bb7} \ufe00 `x`'.split(' '),
    ' ',
  )
  const sentence = fc.array(part, { minLength: 2, maxLength: 10 }).map(parts => `x${parts.join('')}y`)
  await forAllIn(300, [sentence], text => assert.equal(pageSections(text)[0]?.text, shownOn(text), text))
})

test('a hundred thousand signs are read in one pass', () => {
  assert.equal(emphasisMarks('*a_ '.repeat(25_000)).length, 0)
  assert.equal(emphasisMarks('**a** '.repeat(10_000)).length, 20_000)
})
