// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PaymentDetails} from "../src/PaymentDetails.sol";
import {SplitterTest} from "./SplitterTest.sol";

interface IPermit2Domain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// @dev Permit2 itself, and a payer of USDT who has approved it once and signs.
abstract contract Permit2Test is SplitterTest {
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    bytes4 internal constant INVALID_SIGNER = bytes4(keccak256("InvalidSigner()"));
    bytes4 internal constant INVALID_NONCE = bytes4(keccak256("InvalidNonce()"));

    string private constant TYPE =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";
    bytes32 private constant PERMISSIONS_TYPE_HASH = keccak256("TokenPermissions(address token,uint256 amount)");
    string internal constant TERMS_WITNESS =
        "PaymentTerms witness)PaymentTerms(bytes32 termsHash)TokenPermissions(address token,uint256 amount)";
    string internal constant DEPOSIT_WITNESS =
        "Deposit witness)Deposit(address depositAddress)TokenPermissions(address token,uint256 amount)";

    uint256 internal deadline;

    function setUp() public virtual override {
        super.setUp();
        deadline = block.timestamp + 30 minutes;
        vm.etch(PERMIT2, vm.envBytes("PERMIT2"));
        vm.prank(payer);
        usdt.approve(PERMIT2, type(uint256).max);
    }

    function usdtDetails() internal view returns (PaymentDetails memory) {
        return detailsOf(address(usdt));
    }

    function sign(
        string memory witnessType,
        bytes32 witness,
        address token,
        uint256 amount,
        address spender,
        uint256 nonce,
        uint256 until
    ) internal view returns (bytes memory) {
        bytes32 permissions = keccak256(abi.encode(PERMISSIONS_TYPE_HASH, token, amount));
        bytes32 typeHash = keccak256(abi.encodePacked(TYPE, witnessType));
        bytes32 structHash = keccak256(abi.encode(typeHash, permissions, spender, nonce, until, witness));
        bytes32 domain = IPermit2Domain(PERMIT2).DOMAIN_SEPARATOR();
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(PAYER_KEY, keccak256(abi.encodePacked(hex"1901", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function signTerms(PaymentDetails memory details, uint256 until) internal view returns (bytes memory) {
        bytes32 hash = splitter.termsHash(details);
        bytes32 witness = keccak256(abi.encode(keccak256("PaymentTerms(bytes32 termsHash)"), hash));
        return sign(TERMS_WITNESS, witness, details.token, details.amount, address(splitter), uint256(hash), until);
    }
}
