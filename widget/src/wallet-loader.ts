import type { Words } from './words/say.ts'

/** The service usually serves the script too. Only readable while the script runs first; null in a module. */
export const scriptUrl = (document.currentScript as HTMLScriptElement | null)?.src

/**
 * The code for wallets, a file of its own beside the script. The build writes its address here: an `import()` of text
 * needs nothing but `script-src`, also under Trusted Types.
 * @param _attempt - Browsers remember that a module could not be loaded, so each try has an address of its own.
 */
export const loadWallet = (_attempt: number) => import('./wallet/paths.ts')

/** The screens after the first one, a file beside the script as well. */
export const loadScreens = (_attempt: number) => import('./screens/screens.ts')

/** What stands before or around a payment: a button, a dialog, a price in another currency. */
export const loadOffer = (_attempt: number) => import('./offer/offer.ts')

/** What a page says once for all its elements: `<meta name="stablecoin-checkout:api" content="https://…">`. */
export const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="stablecoin-checkout:${name}"]`)?.content ?? ''

/** The parts that a language's words come in, each with the screens it is for. */
export type Group = 'first' | 'screens' | 'wallet' | 'elsewhere'

/** One language at a time. The build writes the file's address here, which says the group too. */
export const loadWords = (code: string, _group: Group): Promise<{ words: Words }> => import(`./words/${code}.ts`)
