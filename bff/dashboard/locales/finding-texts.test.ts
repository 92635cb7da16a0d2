import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findingCodes, readinessCodes } from '@stablecoin-checkout/bff/finding-codes'
import { expect, test } from 'vitest'
import { cures } from '../parts/finding-cures.ts'
import { placesOf } from './all-texts.ts'
import { findings as english, type FindingTexts } from './en/findings.ts'
import { languageNames } from './locale.ts'

test.each(Object.keys(languageNames))(
  'in "%s" each finding of the doctor and each reason for not being ready has its sentence, with its values',
  async (language) => {
    const { findings } = (await import(`./${language}/findings.ts`)) as { findings: FindingTexts }
    const texts: Record<string, string> = findings
    const needed = [
      ...findingCodes,
      ...readinessCodes.map((code) => `ready.${code}`),
      ...['node', 'platform', 'replica', 'replicas', 'work'].map((code) => `place.${code}`),
      ...Object.values(cures).map(({ fix }) => fix),
    ]
    expect(needed.filter((key) => !texts[key])).toEqual([])
    for (const [key, text] of Object.entries(english)) {
      expect(placesOf(texts[key]), key).toEqual(placesOf(text))
      if (language !== 'en') expect(texts[key], key).not.toBe(text)
    }
  },
)

test('each text about a finding is used, and each finding that is not good has a cure', () => {
  const used = new Set<string>([...findingCodes, ...Object.values(cures).map(({ fix }) => fix)])
  const unused = Object.keys(english).filter((key) => !used.has(key) && !/^(cure|doctor|ready|place)\./.test(key))
  expect(unused).toEqual([])
  const isGood = (code: string) => code.endsWith('.good') || code === 'rates.parity'
  expect(Object.keys(cures).sort()).toEqual(findingCodes.filter((code) => !isGood(code)).sort())
})

test('each code is one that a check gives', () => {
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('finding-codes.ts'),
  )
  const text = files.map((path) => readFileSync(`${source}${path}`, 'utf8')).join('\n')
  // The checks of contracts and tokens share one function, which adds the result to their name.
  const isShared = (code: string) => /^(factory|splitter|permit2?|token)\.(good|wrong)$/.test(code)
  expect(findingCodes.filter((code) => !isShared(code) && !text.includes(`'${code}'`))).toEqual([])
})

test('a command that is copied from a finding holds its file as one word', () => {
  const { shell, command } = { ...cures['files.open'], ...{ command: cures['factory.wrong'].command } }
  expect(shell?.({ subject: "/data/o'brien $(id).key", values: [] })).toBe("chmod 600 '/data/o'\\''brien $(id).key'")
  expect(command?.({ subject: 'Base', values: ['is not there', 'base'] })).toBe('deploy base --as-operator')
})
