import { expect, test } from 'vitest'
import { messages as english } from '../../../widget/src/locales/en.ts'
import { languageNames } from './locale.ts'

type Texts = Readonly<Record<string, string>>

/** The preview's texts, and those of the element. */
const same = { choose: 'chooseOption', more: 'optionsMore', awaiting: 'awaiting', on: 'on', test: 'test' } as const

test('the preview of a link speaks the words of the customer’s page, in each language', async () => {
  for (const language of Object.keys(languageNames)) {
    const { links } = (await import(`./${language}/links.ts`)) as { links: Texts }
    const { messages } = (await import(`../../../widget/src/locales/${language}.ts`)) as { messages: Texts }
    for (const [key, name] of Object.entries(same)) {
      expect(messages[name], `${language} ${name}`).not.toBe(language === 'en' ? '' : (english as Texts)[name])
      expect(links[`links.preview.${key}`], `${language} ${key}`).toBe(messages[name])
    }
  }
})
