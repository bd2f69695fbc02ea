import assert from 'node:assert/strict'
import test from 'node:test'
import { openFormatFolders } from '#brand/format-folders.ts'

const JOINED: readonly [paths: string, place: string][] = [
  ['logo/SVG/a.svg logo/PNG/a.png logo/EPS/a.eps logo/JPG/a.jpeg', 'logo/a'],
  ['logo/svg/a.svg logo/Png/a@2x.png', 'logo/a'],
  ['SVG/a.svg PDF/a.pdf', 'a'],
  ['Logo_SVG/a.svg logo-png/a.png', 'Logo/a'],
  ['01_SVG/a.svg 02_PNGs/a.png', 'a'],
  ['LogoSVG/a.svg LogoEPS/a.eps', 'Logo/a'],
  ['RGB_(PNG)/a.png RGB_(SVG)/a.svg', 'RGB/a'],
  ['ロゴ_SVG/a.svg ロゴ_PNG/a.png', 'ロゴ/a'],
  ['SVG/RGB/a.svg PNG/RGB/a.png', 'RGB/a'],
  ['TTF/a.ttf WOFF2/a.woff2', 'a'],
]

test('folders next to each other that differ only in their format are one place', () => {
  for (const [paths, expected] of JOINED) {
    const all = paths.split(' ').map(path => `files/${path}`)
    const placeOf = openFormatFolders(all)
    for (const path of all) assert.equal(placeOf(path).replace(/(@2x)?\.\w+$/, ''), `files/${expected}`, path)
  }
})

const APART: readonly string[] = [
  'logo/SVG/a.svg',
  'print/EPS/a.eps web/SVG/a.svg',
  'Web_SVG/a.svg Print_PNG/a.png',
  '16_PNG/a.png 32_PNG/a.png',
  'SVG_old/a.svg PNG_old/a.png',
  'SVG/a.png PNG/a.svg',
  'Pings/a.png Savings/a.svg',
  'toString/a.svg constructor/a.png',
]

test('a format without another one next to it, and a file of another format in its folder, keep their folders', () => {
  for (const paths of APART) {
    const all = paths.split(' ').map(path => `files/${path}`)
    assert.deepEqual(all.map(openFormatFolders(all)), all)
  }
})

test('a folder that files.yaml describes is not only the folder of a format', () => {
  const all = ['files/SVG/a.svg', 'files/PNG/a.png', 'files/EPS/a.eps']
  const places = all.map(openFormatFolders(all, [{ path: 'files/SVG' }]))
  assert.deepEqual(places, ['files/SVG/a.svg', 'files/a.png', 'files/a.eps'])
})
