/** A project with one scenario of these fields. */
export const scenario = (fields: string) => `testCases: { checkout: { scenarios: { browse: { ${fields} } } } }\n`;

/** Where that one stands. */
export const browse = "testCase.checkout/scenario.browse";

/** A project with one configuration of these fields besides what it cannot do without. */
export const configuration = (fields: string) => `testCases:
  checkout:
    scenarios: { browse: { script: run() } }
    configurations:
      smoke: { scenario: browse, concurrentClients: 5, providers: [{ provider: { id: 0 } }], ${fields} }
`;

/** Where that one stands. */
export const smoke = "testCase.checkout/configuration.smoke";
