import { expect, test } from 'vitest'
import { allTexts, placesOf, type Texts } from './all-texts.ts'
import { foreignWordsIn, glossaryOf, plural, wordsOnly } from './foreign-words.ts'
import { type LanguageCode, languageNames } from './locale.ts'
import { refusalCodes } from './refusal-codes.ts'

const others = (Object.keys(languageNames) as LanguageCode[]).filter(
  (code): code is Exclude<LanguageCode, 'en'> => code !== 'en',
)
const english = await allTexts('en')

/** Whether a language writes its words without spaces. */
const isUnspaced = (language: string) => language === 'zh'

/** A whole word, and in a language without spaces any place. */
const wordIn = (language: string, word: string) =>
  new RegExp(isUnspaced(language) ? word : `(?<![\\p{L}\\p{M}])${word}(?![\\p{L}\\p{M}])`, 'iu')

const found = (texts: Texts, isWrong: (text: string, place: string) => boolean) =>
  [...texts].filter(([place, text]) => isWrong(text, place)).map(([place, text]) => `${place}: ${text}`)

test.each(others)('in "%s" no text holds an English word that its glossary does not share', async (language) => {
  const foreign = foreignWordsIn(language)
  const strangers = [...(await allTexts(language))].flatMap(([place, text]) =>
    foreign(text).map((word) => `${word} (${place}: ${text})`),
  )
  expect(strangers).toEqual([])
})

test.each(['en', ...others] as const)('in "%s" no text says what its glossary refuses', async (language) => {
  const { refused } = glossaryOf(language)
  expect(refused.length, language).toBeGreaterThan(1)
  const texts = await allTexts(language)
  for (const word of refused)
    expect(
      found(texts, (text) => wordIn(language, word).test(text)),
      word,
    ).toEqual([])
})

test.each(others)('in "%s" every text has the values of the English one, and no sentence of it', async (language) => {
  const texts = await allTexts(language)
  const missing = [...english.keys()].filter((place) => !texts.has(place))
  expect(missing).toEqual([])
  expect(found(texts, (text, place) => english.has(place) && placesOf(text) !== placesOf(english.get(place)))).toEqual(
    [],
  )
  expect(found(texts, (text, place) => / /.test(wordsOnly(text).trim()) && text === english.get(place))).toEqual([])
})

/** Their nouns have the same form behind every number, or the text avoids the other. */
const invariant = new Set(['id', 'sw', 'tr', 'vi', 'zh'])

test.each(['en', ...others] as LanguageCode[])(
  'in "%s" each counted text has every form of its numbers',
  async (language) => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const texts = await allTexts(language)
    for (const [place, text] of english) {
      const counted = [...text.matchAll(plural)].map(([, number]) => number).sort()
      if (counted.length === 0 || invariant.has(language)) continue
      const forms = [...(texts.get(place) ?? '').matchAll(plural)]
      expect(forms.map(([, number]) => number).sort(), `${language} ${place}`).toEqual(counted)
      for (const [, , list = ''] of forms) {
        const names = [...list.matchAll(/ (\w+) \{/g)].map(([, name = '']) => name)
        expect(names.sort(), `${language} ${place}`).toEqual([...pluralCategories].sort())
      }
    }
  },
)

test('each refusal that a reader of another language can meet has its sentence', async () => {
  for (const language of others) {
    const texts = await allTexts(language)
    expect(refusalCodes.filter((code) => !texts.get(`dashboard/refusals ${code}`))).toEqual([])
  }
})

test('quotes and spaces are those of the language', async () => {
  const all = new Map<LanguageCode, Texts>(
    await Promise.all(others.map(async (code) => [code, await allTexts(code)] as const)),
  )
  const wrong = (code: LanguageCode, isWrong: (text: string) => boolean) => found(all.get(code) ?? new Map(), isWrong)
  for (const code of others) expect(wrong(code, (text) => /['"]| {2}|\.\.\./.test(text))).toEqual([])
  // A line must not begin with these marks.
  expect(wrong('fr', (text) => / [:;?!»]|« /.test(text))).toEqual([])
  expect(wrong('de', (text) => /[“”](?=\p{L})|\p{L}…/u.test(text))).toEqual([])
  for (const code of ['ar', 'es', 'fr'] as const) expect(wrong(code, (text) => /[“”]/.test(text))).toEqual([])
  expect(wrong('zh', (text) => /\p{Script=Han}[,:;?!]|\p{Script=Han}\.(?!\w)/u.test(text))).toEqual([])
})
