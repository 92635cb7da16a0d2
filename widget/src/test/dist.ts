/** A built file. */
export const distUrl = (name: string): URL => new URL(`../../dist/${name}`, import.meta.url)

export async function integrity(): Promise<Record<string, string>> {
  return (await fetch(distUrl('integrity.json'))).json()
}

/** A chunk's file by its name without the hash. */
export async function chunkName(name: string): Promise<string> {
  const pattern = new RegExp(`^stablecoin-checkout-${name}-[\\w-]{7}\\.js$`)
  const found = Object.keys(await integrity()).find((file) => pattern.test(file))
  if (!found) throw new Error(`No chunk ${name}.`)
  return found
}

export const elementName = (): Promise<string> => chunkName('element')

/** Resolves when the script has run. */
export function loadScript(attributes: Partial<HTMLScriptElement>): Promise<Event> {
  const script = Object.assign(document.createElement('script'), attributes)
  return new Promise((resolve, reject) => {
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })
}
