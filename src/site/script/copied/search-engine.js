// Made from src/search by `npm run docs`.
const searchEngine = (() => {
const nextTurn = () => new Promise(resolve => setTimeout(resolve))
const lazy = (make, made) => () => (made ??= make())

function wordsOf(text        )         {
  const words         = []
  for (const { 0: run, index } of text.matchAll(runs())) {
    if (unspaced().test(run)) for (const pair of pairs(run, index)) words.push(pair)
    else words.push({ term: fold(run), start: index, end: index + run.length })
  }
  return words
}

function isUnspaced(term        )          {
  return unspaced().test(term)
}

function isTypoOf(word        , candidate        , isPrefix         )          {
  let at = 0
  while (at < word.length && word[at] === candidate[at]) at++
  if (at === 0) return false
  const same = (ofWord        , ofCandidate        )          => {
    const rest = word.slice(ofWord)
    return isPrefix ? candidate.startsWith(rest, ofCandidate) : candidate.slice(ofCandidate) === rest
  }
  const isSwapped = word[at] === candidate[at + 1] && word[at + 1] === candidate[at]
  return same(at + 1, at + 1) || same(at + 1, at) || same(at, at + 1) || (isSwapped && same(at + 2, at + 2))
}

const SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Lao', 'Khmer', 'Mymr'].map(name => `\\p{scx=${name}}`).join('')
const LETTERS = '[\\p{L}\\p{N}\\p{M}]'
const unspaced = lazy(() => new RegExp(`^[${SCRIPTS}]`, 'v'))
const runs = lazy(() => new RegExp(`[${LETTERS}&&[${SCRIPTS}]]+|[${LETTERS}--[${SCRIPTS}]]+`, 'gv'))

const MAX_WORD = 40

function pairs(run        , start        )         {
  const letters = [...run]
  let at = start
  return letters.map((letter, index) => {
    const pair = letter + (letters[index + 1] ?? '')
    const word = { term: fold(pair), start: at, end: at + pair.length }
    at += letter.length
    return word
  })
}

function fold(word        )         {
  const short = word.slice(0, MAX_WORD)
  if (ASCII.test(short)) return short.toLowerCase()
  const plain = short
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
  // Some letters become many.
  return plain.replace(/[ßæœøđłı]/g, letter => UNDECOMPOSED[letter] ?? letter).slice(0, MAX_WORD)
}

const ASCII = /^[a-zA-Z0-9]*$/
const UNDECOMPOSED                                   = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' }

function wordIndex(entries        , { letters, termEnds, postingEnds, postings }            )            {
  const startOf = (ends        , at        )         => (at === 0 ? 0 : ends.at(at - 1))
  const index        = {
    entries,
    terms: termEnds.length(),
    termAt: at => letters.slice(startOf(termEnds, at), termEnds.at(at)),
    countOf: at => postingEnds.at(at) - startOf(postingEnds, at),
    postingsOf: at => postings.slices(startOf(postingEnds, at), postingEnds.at(at)),
  }
  return { find: wanted => find(index, wanted) }
}

const MAX_WORDS = 8

const MAX_LOOKED_AT = 500_000

const MAX_TERMS_LOOKED_AT = 50_000

async function find(index       , text        )                       {
  const { wanted, lookedAt } = await wantedIn(index, text)
  const scores = new Float32Array(index.entries)
  const met = new Uint8Array(index.entries)
  let left = MAX_LOOKED_AT
  for (const [word, { matches }] of wanted.entries()) {
    for (const { at: term, factor } of matches) {
      if (left < 0) break
      const count = index.countOf(term)
      left -= count
      const worth = factor * Math.log(1 + index.entries / count)
      for (const postings of index.postingsOf(term)) score(scores, met, 1 << word, postings, worth)
    }
    await nextTurn()
  }
  const all = (1 << wanted.length) - 1
  const hasAll = met.includes(all)
  if (hasAll) for (let entry = 0; entry < met.length; entry++) if (met[entry] !== all) scores[entry] = 0
  return { scores, hasAll, lookedAt, isWanted: ({ term }) => wanted.some(want => isMatch(want, term)) }
}

function score(scores              , met            , bit        , postings             , worth        )       {
  for (const posting of postings) {
    const entry = posting >> 8
    const before = met[entry] ?? 0
    if ((before & bit) !== 0) continue
    met[entry] = before | bit
    scores[entry] = (scores[entry] ?? 0) + worth * (posting & 255)
  }
}

async function wantedIn(index       , text        )                                                  {
  const words = wordsOf(text)
  const apart = words.filter(({ end }, at) => words[at - 1]?.end !== end)
  const terms = [...new Set(apart.map(({ term }) => term))].slice(0, MAX_WORDS)
  const wanted           = []
  let left = MAX_TERMS_LOOKED_AT
  for (const [at, term] of terms.entries()) {
    const isLast = at === terms.length - 1
    const look = (beginning        ) => {
      const looked = beginningWith(index, beginning)
        .take(Math.floor(left / (terms.length - at)))
        .toArray()
      left -= looked.length
      return looked
    }
    const matches = exactly(index, term, isLast, look)
    const isNowhere = matches.length === 0
    wanted.push({ term, isLast, isNowhere, matches: isNowhere ? nearly(index, term, isLast, look) : matches })
    await nextTurn()
  }
  return { wanted, lookedAt: MAX_TERMS_LOOKED_AT - left }
}

function exactly(index       , term        , isLast         , look      )          {
  const first = firstFrom(index, term)
  const whole = first < index.terms && index.termAt(first) === term ? [{ at: first, factor: 1 }] : []
  const canBegin = isLast && (term.length > 1 || isUnspaced(term))
  if (!canBegin) return whole
  const begun            = Array.from({ length: MAX_WORD + 1 }, () => [])
  for (const at of look(term)) {
    const { length } = index.termAt(at)
    if (length > term.length) begun[length]?.push({ at, factor: (0.7 * term.length) / length })
  }
  return [...whole, ...begun.flat()] // The shortest first.
}

const MIN_WITH_SLIP = 5

function nearly(index       , term        , isLast         , look      )          {
  if (term.length < MIN_WITH_SLIP) return []
  const near          = []
  for (const at of look(term.charAt(0))) if (isTypoOf(term, index.termAt(at), isLast)) near.push({ at, factor: 0.5 })
  return near
}

function* beginningWith(index       , text        )                    {
  const end = firstFrom(index, `${text}\uffff`)
  for (let at = firstFrom(index, text); at < end; at++) yield at
}

function firstFrom({ terms, termAt }       , text        )         {
  let [low, high] = [0, terms]
  while (low < high) {
    const middle = (low + high) >> 1
    if (termAt(middle) < text) low = middle + 1
    else high = middle
  }
  return low
}

function isMatch({ term, isLast, isNowhere }        , word        )          {
  if (isNowhere) return term.length >= MIN_WITH_SLIP && isTypoOf(term, word, isLast)
  return word === term || (isLast && (term.length > 1 || isUnspaced(term)) && word.startsWith(term))
}

function bestHits(
  { ownerOf }                                        ,
  { scores }                          ,
  max        ,
)                                 {
  const best        = []
  let count = 0
  let open
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry] ?? 0
    if (score === 0) continue
    const owner = ownerOf(entry)
    if (open?.owner === owner) {
      if (score > open.score) Object.assign(open, { entry, score })
      continue
    }
    if (open) keep(best, open, max)
    open = { entry, owner, score }
    count++
  }
  if (open) keep(best, open, max)
  return { count, best }
}

function keep(best       , hit     , max        )       {
  if (best.length === max && hit.score <= (best.at(-1)?.score ?? 0)) return
  const at = best.findIndex(({ score }) => score < hit.score)
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > max) best.pop()
}

function highlight(text        , isWanted                         )              {
  const shown = text.slice(0, MAX_TEXT)
  return markedWords(shown, wordsOf(shown).filter(isWanted))
}

function snippet(text        , isWanted                         )              {
  const words = wordsOf(text.slice(0, MAX_TEXT))
  const firstAt = words.findIndex(isWanted)
  const first = words[firstAt]?.start ?? 0
  const start = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1 || first
  const from = Math.min(start, first)
  const space = text.lastIndexOf(' ', from + LENGTH)
  const to = text.length <= from + LENGTH ? text.length : space > first ? space : from + LENGTH
  const before = from > 0 ? '… ' : ''
  const part = `${before}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
  const offset = before.length - from
  const shown = words.filter((word, at) => at === firstAt || (at > firstAt && word.end <= to && isWanted(word)))
  const moved = shown.map(({ term, start, end }) => ({ term, start: start + offset, end: Math.min(end, to) + offset }))
  return markedWords(part.toWellFormed(), moved)
}

const MAX_TEXT = 3000
const BEFORE = 60
const LENGTH = 200

function markedWords(text        , words                 )              {
  const pieces           = []
  let end = 0
  for (const word of words) {
    const start = Math.max(word.start, end)
    if (start >= word.end) continue
    if (start === end && pieces.length > 0) pieces.push((pieces.pop() ?? '') + text.slice(start, word.end))
    else pieces.push(text.slice(end, start), text.slice(start, word.end))
    end = word.end
  }
  return [...pieces, text.slice(end)]
}

return { wordIndex, bestHits, highlight, snippet }
})()
