import assert from 'node:assert/strict'
import test from 'node:test'
import { renderMarkdown } from '#site/markdown/markdown.ts'

const PICTURES = new Map([['/a.jpg', { width: 1600, height: 900, srcset: 'a.webp 640w' }]])

function sizesOf(text: string, isAcross = false): string | undefined {
  const { html } = renderMarkdown(text, { name: 'A', pictures: PICTURES, isAcross })
  return / sizes="([^"]+)"/.exec(html.text)?.[1]
}

test('browsers learn how wide a photograph is where the page shows it', () => {
  const navigation = '(min-width: 60rem) min(78vw + -10.25rem, 75.25rem)'
  const cases: [string, string][] = [
    ['![](/a.jpg)', `${navigation}, 100vw`],
    ['![](/a.jpg)\n\n## B\n\n## C', `(min-width: 80rem) min(78vw + -25.25rem, 60.25rem), ${navigation}, 100vw`],
    ['<!-- full -->\n![](/a.jpg)', '(min-width: 60rem) min(89vw + -11.75rem, 160rem), 100vw'],
    [
      '<!-- split -->\n![](/a.jpg)\n\nText',
      '(min-width: 60rem) min(39vw + -5.13rem, 37.63rem), (min-width: 48rem) 50vw, 100vw',
    ],
    ['![](/a.jpg) ![](/a.jpg)', '(min-width: 60rem) min(39vw + -5.13rem, 37.63rem), 50vw'],
    [
      '<!-- columns: 4 -->\n- ![](/a.jpg)\n- ![](/a.jpg)\n- ![](/a.jpg)\n- ![](/a.jpg)',
      '(min-width: 60rem) min(19.5vw + -2.56rem, 18.81rem), (min-width: 48rem) 33.33vw, 100vw',
    ],
  ]
  for (const [text, sizes] of cases) assert.equal(sizesOf(text), sizes, text)
})

test('a photograph is as wide as the page if there is no navigation', () => {
  assert.equal(sizesOf('![](/a.jpg)', true), '(min-width: 60rem) min(78vw + 8rem, 93.5rem), 100vw')
  assert.equal(sizesOf('<!-- full -->\n![](/a.jpg)', true), '(min-width: 60rem) min(100vw + 0rem, 160rem), 100vw')
})
