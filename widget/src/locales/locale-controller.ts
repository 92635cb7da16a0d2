import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { importChunk } from '../lazy-part.ts'
import type { Messages } from './en.ts'
import { firstLocale, type Locale } from './locale.ts'

export const languages = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  hi: () => import('./hi.ts'),
  id: () => import('./id.ts'),
  pt: () => import('./pt.ts'),
  sw: () => import('./sw.ts'),
  tr: () => import('./tr.ts'),
  vi: () => import('./vi.ts'),
  zh: () => import('./zh.ts'),
} satisfies Record<string, () => Promise<{ messages: Messages }>>

type Code = keyof typeof languages

const rightToLeft: readonly Code[] = ['ar']

/** Keeps the element in the page's language. */
export class LocaleController implements ReactiveController {
  locale: Locale = firstLocale
  private readonly host: ReactiveControllerHost & Element
  /** The first screen has its English texts; other parts load the rest. */
  private code: Code = 'en'
  private attempts = 0
  private loading: Promise<void> | null = null

  constructor(host: ReactiveControllerHost & Element) {
    this.host = host
    host.addController(this)
  }

  hostUpdate(): void {
    const code = languageOf(this.host)
    if (code === this.code) return
    this.code = code
    this.loading = null
    // A language that cannot be loaded keeps the previous one: the payment matters more.
    void this.load().catch(() => {})
  }

  /**
   * Resolves when all texts are loaded, in English if the page's language fails.
   * @throws the browser's error when neither can be loaded.
   */
  load(): Promise<void> {
    this.loading ??= this.loadOnce().catch((error) => {
      this.loading = null
      throw error
    })
    return this.loading
  }

  private async loadOnce(): Promise<void> {
    const { code } = this
    const locale = await this.import(code).catch(() => this.import('en'))
    // Another language is loading by now: its texts are waited for.
    if (code !== this.code) return this.load()
    this.locale = locale
    this.host.requestUpdate()
  }

  private async import(code: Code): Promise<Locale> {
    const { messages } = await importChunk<{ messages: Messages }>(languages[code], this.attempts++)
    return { code, isRtl: rightToLeft.includes(code), messages }
  }
}

/** The language of the tag or an ancestor, else of the page, else of the browser; English if not supported. */
function languageOf(element: Element): Code {
  const tag = element.closest<HTMLElement>('[lang]')?.lang || document.documentElement.lang || navigator.language
  const [code = 'en'] = tag.toLowerCase().split('-')
  return code in languages ? (code as Code) : 'en'
}
