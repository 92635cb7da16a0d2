import { renderToString } from 'react-dom/server'
import { Checkout } from './checkout.tsx'

/** The page's HTML: it contains the tag, which the script upgrades in the browser. */
export const draw = (order: Parameters<typeof Checkout>[0]) => renderToString(<Checkout {...order} />)
