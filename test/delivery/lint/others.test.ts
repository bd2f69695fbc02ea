import assert from 'node:assert/strict'
import test from 'node:test'
import { othersKind } from '#delivery/lint/others.ts'

const NAMES = ['quay', 'Quay guidelines']

test('style sheets of libraries, of packages and of build tools are of others', () => {
  for (const path of [
    'a.min.css',
    'x/vendor/a.css',
    'node_modules/a/a.scss',
    'dist/a.css',
    'awesome-6.5.2-web/css/a.css',
    '_normalize.scss',
    'bootstrap-grid.css',
  ])
    assert.equal(othersKind(path, '', NAMES), 'sheet', path)
  for (const start of [
    '/*! normalize.css v8.0.1 | MIT License | github.com/necolas/normalize.css */',
    '@charset "UTF-8";\n/*!\n * Gridder (https://gridder.example)\n * Copyright 2020 Ann\n */',
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
    `a{background:url(${'x'.repeat(70_000)})}`,
  ])
    assert.equal(othersKind('site/main.css', start, NAMES), undefined, start.slice(0, 80))
  assert.equal(othersKind('vendor/page.html', '', NAMES), undefined)
})

test('a drawing is a logo of another firm by its name, or by a folder of others and the word logo', () => {
  for (const path of [
    'facebook.svg',
    'img/icon-LinkedIn-white.svg',
    'social/x.svg',
    'apple-logo.svg',
    'sponsor-logos/acme.svg',
    'partners/acme-logo.svg',
    'fa/svgs/brands/500px.svg',
  ])
    assert.equal(othersKind(path, '', NAMES), 'logo', path)
})

test('a logo with a name of the brand, and an ordinary drawing, are its own', () => {
  for (const path of [
    'logo.svg',
    'quay-logo.svg',
    'partners/quay-logo-white.svg',
    'acme-logo.svg',
    'apple.svg',
    'x.svg',
    'social/poster.svg',
    'partners/handshake.svg',
    'icons/arrow.svg',
    'brands/map.svg',
    'facebook.png',
  ])
    assert.equal(othersKind(path, '', NAMES), undefined, path)
  assert.equal(othersKind('social/github.svg', '', ['github']), undefined)
  assert.equal(othersKind('github-logo.svg', '', ['events', 'GitHub Universe']), undefined)
  assert.equal(othersKind('facebook.svg', '', ['events', '&']), 'logo')
})
