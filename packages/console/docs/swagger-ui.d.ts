declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Options: https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration */
  const SwaggerUI: (options: Readonly<Record<string, unknown>>) => unknown;
  export { SwaggerUI as default };
}
