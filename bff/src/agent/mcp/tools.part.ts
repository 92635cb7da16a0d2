import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '../../access/context/env.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { Log } from '../../core/log.ts'
import { mcpRoutes } from './mcp.routes.ts'
import { createTools, type ToolDeps } from './tools.ts'

/** Tools for agents, by the Model Context Protocol. */
export function toolRoutes(
  app: OpenAPIHono<Env>,
  api: Operations,
  deps: ToolDeps & { log: Log; publicUrl: string | null },
): void {
  mcpRoutes(app, api, { ...deps, tools: createTools(deps) })
}
