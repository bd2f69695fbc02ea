import assert from 'node:assert/strict'
import test from 'node:test'
import { fallbackFaces } from '#site/library/type/faces/fallback-face.ts'

test('Arabic letters fall back to local Arabic fonts at their own mean width, also if the font has no Latin letters', () => {
  const facts = {
    axes: [],
    kind: 'sans',
    ascent: 1,
    descent: 0.5,
    lineGap: 0,
    widths: [],
    characters: { count: 0, ranges: [] },
    features: [],
  } as const
  assert.deepEqual(fallbackFaces('Kufi', facts, { weight: 700, style: 'normal' }), [])
  const faces = fallbackFaces('Kufi', { ...facts, arabicWidth: 0.4588 }, { weight: 700, style: 'normal' })
  assert.equal(
    faces[0]?.rule,
    '@font-face{font-family:"Kufi, 4";font-weight:700;font-style:normal;src:local("Noto Sans Arabic Bold"),local("NotoSansArabic-Bold");size-adjust:100%;ascent-override:100%;descent-override:50%;line-gap-override:0%;unicode-range:U+20,U+600-6ff,U+750-77f,U+8a0-8ff,U+fb50-fdff,U+fe70-feff}\n',
  )
})
