import { REST_GET } from '@payloadcms/next/routes'
import config from '../../../payload.config.js'

export const GET = REST_GET(config)
