import type { OpenAPIHono, RouteConfig, RouteHandler } from '@hono/zod-openapi'
import type { Handler, MiddlewareHandler } from 'hono'
import type { Env } from '../context/env.ts'
import { nameOf, type Operation } from '../context/operation.ts'

/** Serves operations on one application. */
export type Operations = {
  /** Runs the guard, then validates the request with the description's schemas. */
  serve<Described extends Operation>(operation: Described, handler: RouteHandler<Described, Env>): void
  /** For handlers that answer invalid requests in their own way: the schemas are only documented. */
  serveUnvalidated(operation: Operation, handler: Handler<Env>): void
}

/** @returns an object that serves operations on the application, as `createRegistry` registers them. */
export type OperationsOn = (app: OpenAPIHono<Env>) => Operations

/** The middleware that runs before an operation's handler. */
export type GuardOf = (operation: Operation) => MiddlewareHandler<Env>[]

/** Every operation of the service. */
export function createRegistry(guardOf: GuardOf) {
  const all: Operation[] = []
  const served = new Set<string>()

  return {
    all: all as readonly Operation[],

    /**
     * @param app - Gets a route for each served operation.
     * @param document - Where the operations are documented.
     */
    on(app: OpenAPIHono<Env>, document = app.openAPIRegistry): Operations {
      function add(operation: Operation): void {
        all.push(operation)
        served.add(`${operation.method.toUpperCase()} ${pathOf(operation)}`)
        if (!operation.hide) document.registerPath(documented(operation))
      }

      return {
        serve(operation, handler) {
          add(operation)
          app.openapi({ ...operation, hide: true, middleware: guardOf(operation) }, handler as never)
        },
        serveUnvalidated(operation, handler) {
          add(operation)
          app.on([operation.method.toUpperCase()], [pathOf(operation)], ...guardOf(operation), handler)
        },
      }
    },

    /**
     * Refuses to start a service with a route that does not declare who may call it.
     * @throws {Error} naming the application's first route that was not added by `serve`.
     */
    verifyDeclared(app: OpenAPIHono<Env>): void {
      const undeclared = app.routes.find(
        ({ method, path }) => method !== 'ALL' && path !== '/*' && !served.has(`${method} ${path}`),
      )
      if (undeclared) {
        const { method, path } = undeclared
        throw new Error(`${method} ${path} does not declare who may call it: describe it by defineOperation.`)
      }
    },
  }
}

/** The path in the router's form. */
const pathOf = ({ path }: Operation): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The description without the fields that the OpenAPI document does not know. */
function documented(operation: Operation & { secretFor?: string; till?: string }): RouteConfig {
  const { access, secretFor, till, role, passkey, audit, scope, rate, idempotency, endsForPublicKeys, ...route } =
    operation
  return route
}

/** The names of the visible operations that pass the test, in serving order. */
export const namesOf = (operations: readonly Operation[], isMeant: (operation: Operation) => boolean): string[] =>
  operations.filter((operation) => !operation.hide && isMeant(operation)).map(nameOf)
