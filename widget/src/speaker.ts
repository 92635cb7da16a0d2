import type { ControllerHost } from './ui/small-element.ts'
import { type Group, loadWords } from './wallet-loader.ts'
import { first } from './words/english.ts'
import type { Language, Words } from './words/say.ts'

/** Those with words of their own in `words/`, beside English, which needs no file. */
const spoken = /^(ar|de|es|fr|hi|id|pt|sw|tr|vi|zh)/

/** The language of the tag or of what it stands in, else of the page, else of the browser; English where it is none of ours. */
function codeFor(element: Element): string {
  const tag = element.closest<HTMLElement>('[lang]')?.lang || document.documentElement.lang || navigator.language
  return spoken.exec(tag.toLowerCase())?.[0] ?? 'en'
}

/** What an element speaks. A file of words that cannot be loaded leaves English in its place: the payment matters more. */
export class Speaker {
  language: Language = { code: 'en', isRtl: false, words: first }
  private readonly host: ControllerHost & Element
  private code = 'en'
  /** Of every file that has come. */
  private english: Words = first
  private readonly groups: Group[] = ['first']

  constructor(host: ControllerHost & Element) {
    this.host = host
  }

  /** Speaks as the page does by now. The words come while the payment is made. */
  follow(): void {
    const code = codeFor(this.host)
    if (code === this.code) return
    this.code = code
    this.language = { code: 'en', isRtl: false, words: this.english }
    for (const group of this.groups) void this.translate(group)
  }

  /** A file with screens has come, with its English; its words in the customer's language follow. */
  learn(words: Words, group: Group): void {
    this.english = { ...words, ...this.english }
    this.language = { ...this.language, words: { ...words, ...this.language.words } }
    this.host.requestUpdate()
    if (this.groups.includes(group)) return
    this.groups.push(group)
    void this.translate(group)
  }

  private async translate(group: Group): Promise<void> {
    const { code } = this
    if (code === 'en') return
    const { words } = await loadWords(code, group).catch(() => ({ words: null }))
    if (!words || code !== this.code) return
    this.language = { code, isRtl: code === 'ar', words: { ...this.language.words, ...words } }
    this.host.requestUpdate()
  }
}
