import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js'
import sprite from './icons.svg'

/** Without it an image gets the browser's default size. */
const mutator = (picture: SVGElement): void => picture.setAttribute('viewBox', '0 0 24 24')

/**
 * Web Awesome loads icons from its own host by default, and inserts them as HTML, which Trusted Types refuse. Instead,
 * icons are symbols of one local file. `system` has the icons that its components use themselves.
 */
for (const library of ['default', 'system']) {
  registerIconLibrary(library, { resolver: (name) => `${sprite}#${name}`, spriteSheet: true, mutator })
}
