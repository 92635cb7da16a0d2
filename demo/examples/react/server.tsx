import { renderToString } from 'react-dom/server'
import { Checkout } from './checkout.tsx'

/** The page's part as HTML: the tag stands in it, and its script makes a checkout of it in the browser. */
export const draw = (order: Parameters<typeof Checkout>[0]) => renderToString(<Checkout {...order} />)
