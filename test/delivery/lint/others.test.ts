import assert from 'node:assert/strict'
import test from 'node:test'
import { othersKind } from '#delivery/lint/others.ts'

const NAMES = ['quay', 'Quay guidelines']

test('style sheets of libraries, of packages and of build tools are of others', () => {
  for (const path of `
    a.min.css x/vendor/a.css node_modules/a/a.scss dist/a.css awesome-6.5.2-web/css/a.css
    _normalize.scss bootstrap-grid.css site/_next/static/css/z.css wp-includes/css/z.css
    wp-content/plugins/akismet/z.css css/main.3f2a1b9c.css css/app.bundle.css
  `
    .trim()
    .split(/\s+/))
    assert.equal(othersKind(path, '', NAMES), 'sheet', path)
  for (const start of [
    '/*! normalize.css v8.0.1 | MIT License | github.com/necolas/normalize.css */',
    '@charset "UTF-8";\n/*!\n * Gridder (https://gridder.example)\n * Copyright 2020 Ann\n */',
    '/*\n! tailwindcss v3.4.1 | MIT License | https://tailwindcss.com\n*/',
    '/* PrismJS 1.29.0\nhttps://prismjs.com/download.html */',
    '/* http://meyerweb.com/eric/tools/css/reset/\n   v2.0 | 20110126\n   License: none (public domain)\n*/',
    '/*! tailwindcss v4.0.0 | MIT License | https://tailwindcss.com */',
    'a{color:red}'.repeat(60),
  ])
    assert.equal(othersKind('a.css', start, NAMES), 'sheet', start)
})

test('sheets of the brand, and those without marks of others, are its own', () => {
  for (const start of [
    '',
    '/* Theme v1.0, licence: MIT */',
    '/*! Quay UI v1.0 | MIT License */',
    '/*! Colours */',
    '/* Colours of the site, see https://example.org/colours v2.0 */',
    '/* Quay 2.0 https://quay.example/ MIT */',
    `a{background:url(${'x'.repeat(70_000)})}`,
  ])
    assert.equal(othersKind('site/main.css', start, NAMES), undefined, start.slice(0, 80))
  for (const path of ['main.css', 'css/facade.css', 'css/site-20240101.css', 'wp-content/themes/a.css', 'next/a.css'])
    assert.equal(othersKind(path, '', NAMES), undefined, path)
  assert.equal(othersKind('vendor/page.html', '', NAMES), undefined)
})

test('a drawing is a logo of another firm by its name, or by a folder of others and the word logo', () => {
  for (const path of `
    facebook.svg img/icon-LinkedIn-white.svg social/x.svg apple-logo.svg sponsor-logos/acme.svg
    partners/acme-logo.svg fa/svgs/brands/500px.svg img/visa.svg img/slack_icon.svg
  `
    .trim()
    .split(/\s+/))
    assert.equal(othersKind(path, '', NAMES), 'logo', path)
})

test('the title of a drawing may say that it is the logo of a firm', () => {
  const titled = (title: string) => `<svg><title id="t">${title}</title></svg>`
  for (const path of [
    'partners/nordbank.svg',
    'clients/nordbank.svg',
    'logos/nordbank.svg',
    'logos/nordbank-white.svg',
  ])
    assert.equal(othersKind(path, titled('Nordbank logo'), NAMES), 'logo', path)
  for (const [path, title] of [
    ['logos/primary.svg', 'Logo'],
    ['logos/primary.svg', 'Primary logo of Quay'],
    ['logos/harbour.svg', 'The harbour'],
    ['img/nordbank.svg', 'Nordbank logo'],
    ['partners/handshake.svg', 'Two hands'],
    ['partners/ours.svg', 'Quay logo'],
  ] as const)
    assert.equal(othersKind(path, titled(title), NAMES), undefined, `${path}: ${title}`)
})

test('a logo with a name of the brand, and an ordinary drawing, are its own', () => {
  for (const path of `
    logo.svg quay-logo.svg partners/quay-logo-white.svg acme-logo.svg apple.svg x.svg social/poster.svg
    partners/handshake.svg icons/arrow.svg brands/map.svg facebook.png
  `
    .trim()
    .split(/\s+/))
    assert.equal(othersKind(path, '', NAMES), undefined, path)
  assert.equal(othersKind('social/github.svg', '', ['github']), undefined)
  assert.equal(othersKind('github-logo.svg', '', ['events', 'GitHub Universe']), undefined)
  assert.equal(othersKind('facebook.svg', '', ['events', '&']), 'logo')
})
