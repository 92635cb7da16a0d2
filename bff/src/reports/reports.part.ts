export { merchantReportRoutes } from './reports.routes.ts'
