import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js'
import sprite from './icons.svg'

/** Without it a picture is as wide as the browser's default for pictures without a size. */
const mutator = (picture: SVGElement): void => picture.setAttribute('viewBox', '0 0 24 24')

/**
 * Web Awesome loads icons from its own host by default, and writes what it loads as HTML, which Trusted Types refuse.
 * Symbols of one file of ours are referred to instead. `system` has the icons that its components show by themselves.
 */
for (const library of ['default', 'system']) {
  registerIconLibrary(library, { resolver: (name) => `${sprite}#${name}`, spriteSheet: true, mutator })
}
