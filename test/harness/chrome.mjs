import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const programNames = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome']

const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env.PROGRAMFILES ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
  join(process.env['PROGRAMFILES(X86)'] ?? 'C:\\Program Files (x86)', 'Google\\Chrome\\Application\\chrome.exe'),
]

function installedChrome() {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = [...onPath.flatMap((folder) => programNames.map((name) => join(folder, name))), ...fixedPlaces]
  return candidates.find((candidate) => existsSync(candidate))
}

/** The package's own file contains folders of the cloud for which it was made. */
const fontConfiguration = (folder) =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`

/**
 * Unpacks the browser of `@sparticuz/chromium` once per repository. That package unpacks to a shared temporary folder and accepts
 * a half-written file as complete, so this unpacks elsewhere and moves the whole folder into place.
 */
async function packagedChromium() {
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const home = join(repository, 'node_modules', '.cache', `chromium-${version}`)
  if (!existsSync(home)) {
    const unfinished = `${home}.${process.pid}`
    await mkdir(unfinished, { recursive: true })
    const temporaryFolder = process.env.TMPDIR
    process.env.TMPDIR = unfinished
    try {
      const { default: chromium } = await import('@sparticuz/chromium')
      await chromium.executablePath()
    } finally {
      if (temporaryFolder === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = temporaryFolder
    }
    await writeFile(join(unfinished, 'fonts', 'fonts.conf'), fontConfiguration(join(home, 'fonts')))
    await rename(unfinished, home).catch(async (error) => {
      await rm(unfinished, { recursive: true, force: true })
      if (!existsSync(home)) throw error
    })
  }
  // A bare container has no fonts, and a browser without fonts draws no text.
  if (!existsSync('/etc/fonts')) process.env.FONTCONFIG_PATH ??= join(home, 'fonts')
  return join(home, 'chromium')
}

/**
 * The browser for tests: `CHROME_PATH`, else an installed Chrome or Chromium, else the one in an npm package (Linux only). The
 * package's own arguments are omitted: they disable web security, and with it the CORS rules under test.
 * @returns {Promise<{ executablePath: string, args: string[] }>}
 */
export async function chromePath() {
  const executablePath = process.env.CHROME_PATH || installedChrome() || (await packagedChromium())
  const isRoot = process.getuid?.() === 0
  // Containers often give /dev/shm only 64 MB, which Chromium exceeds.
  const args = ['--disable-dev-shm-usage', '--disable-gpu', ...(isRoot ? ['--no-sandbox'] : [])]
  return { executablePath, args }
}
