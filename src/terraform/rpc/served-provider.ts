import type { GetProviderSchema_Response } from "../../../gen/tfplugin6.js";
import { type ObjectSchema, objectType, type ProviderSchema } from "../provider-schema.ts";
import type { Provider, ProviderSession } from "../provider-session.ts";
import { schemaMessage } from "../wire/schema-message.ts";
import type { CtyType } from "../wire/values.ts";

/** The types and the session behind the RPCs of one connection. */
export interface ServedProvider {
  readonly types: ProviderTypes;
  /** The session of the connection, opened on its first use. */
  readonly session: () => Promise<ProviderSession>;
}

/** A provider's schema and values derived from it, each once per process. */
export class ProviderTypes {
  readonly #provider: Provider;
  readonly #known = new Map<string, CtyType>();
  #schema: Promise<ProviderSchema> | undefined;
  #message: Promise<GetProviderSchema_Response> | undefined;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  schema(): Promise<ProviderSchema> {
    this.#schema ??= this.#provider.schema();
    return this.#schema;
  }

  message(): Promise<GetProviderSchema_Response> {
    this.#message ??= this.schema().then(schemaMessage);
    return this.#message;
  }

  async provider(): Promise<CtyType> {
    const { provider } = await this.schema();
    return this.#typeOf("provider", { description: "", attributes: provider });
  }

  async resource(name: string): Promise<CtyType> {
    const { resources } = await this.schema();
    return this.#typeOf(`resource ${name}`, resources.get(name));
  }

  async dataSource(name: string): Promise<CtyType> {
    const { dataSources } = await this.schema();
    return this.#typeOf(`data source ${name}`, dataSources.get(name));
  }

  #typeOf(name: string, schema: ObjectSchema | undefined): CtyType {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (schema === undefined) throw new Error(`the provider has no ${name} in its schema`);
    const type = objectType(schema.attributes);
    this.#known.set(name, type);
    return type;
  }
}
