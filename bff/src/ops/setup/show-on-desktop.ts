import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileName = 'checkout-set-up.html'

/** Names of variables that the browser must not inherit. */
const isSecret = /KEY|SECRET|PASSWORD|TOKEN|DATABASE/i

type Desktop = { folder: string; env: Readonly<Record<string, string | undefined>>; platform?: NodeJS.Platform }

/**
 * Opens the link in the browser where nobody sees it printed: Linux desktops start a program by a double click without a terminal.
 * The browser gets the path of a page that only this user can read, because every user sees the arguments of programs.
 * @param link - With no character that HTML would have to escape.
 * @returns a function that removes the page; null where there is no desktop.
 */
export function showOnDesktop(
  link: string,
  { folder, env, platform = process.platform }: Desktop,
): (() => void) | null {
  if (platform !== 'linux' || !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return null
  const file = join(folder, fileName)
  const remove = () => rmSync(file, { force: true })
  remove()
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, {
    flag: 'wx',
    mode: 0o600,
  })
  const harmless = Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret.test(name)))
  const browser = spawn('xdg-open', [file], { env: harmless, stdio: 'ignore', detached: true })
  // Without the program the file can still be opened by hand.
  browser.on('error', () => {})
  browser.unref()
  return remove
}
