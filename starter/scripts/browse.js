const http = require("http");
const users = dataTable.open("users.csv");

users.next().then(([user]) => {
  http.get(`${params["baseUrl"]}/products?user=${user.data.name}`, (response) => {
    response.resume();
    results().counter("products", 1);
  });
});
