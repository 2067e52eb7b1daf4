const http = require("http");
const users = dataTable.open("users.csv");

users.next().then(([user]) => {
  const url = `${params["baseUrl"]}/products?user=${user.data.name}`;
  http.get(url, (response) => {
    response.resume();
    results().counter("products", 1);
  });
});
