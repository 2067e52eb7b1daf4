import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

/** The descriptor of one .proto text, encoded, as code generators of protobuf take it. */
export function describeProtobuf(name, text) {
  const root = new protobuf.Root();
  const { package: scope } = protobuf.parse(text, root, { keepCase: true });
  root.resolveAll();
  const [file] = root.toDescriptor("proto3").file;
  file.name = name;
  for (const message of file.messageType) nameTypes(root, message, `.${scope}.${message.name}`);
  for (const service of file.service) {
    const { methods } = root.lookupService(`${scope}.${service.name}`);
    for (const method of service.method) {
      method.inputType = methods[method.name].resolvedRequestType.fullName;
      method.outputType = methods[method.name].resolvedResponseType.fullName;
    }
  }
  return descriptor.FileDescriptorProto.encode(file).finish();
}

/** protobufjs writes names of types as short as they are unique; generators take them whole. */
function nameTypes(root, message, path) {
  const fields = root.lookupType(path).fields;
  for (const field of message.field) {
    const { resolvedType, map } = fields[field.name];
    if (map) nameMapTypes(message, { field, path, value: resolvedType });
    else if (resolvedType) field.typeName = resolvedType.fullName;
  }
  for (const nested of message.nestedType)
    if (!nested.options?.mapEntry) nameTypes(root, nested, `${path}.${nested.name}`);
}

function nameMapTypes(message, { field, path, value }) {
  const name = field.typeName.split(".").at(-1);
  const entry = message.nestedType.find((nested) => nested.name === name);
  field.typeName = `${path}.${name}`;
  if (value) entry.field.find((each) => each.number === 2).typeName = value.fullName;
}
